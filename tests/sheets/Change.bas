Sub Change(page As String, cell As String, value As Double, files As String)
  Dim how(0) As New com.sun.star.beans.PropertyValue
  how(0).Name = "Hidden" : how(0).Value = True
  For Each file In Split(files, "|")
    Dim book As Object
    book = StarDesktop.loadComponentFromURL(ConvertToURL(file), "_blank", 0, how())
    book.Sheets.getByName(page).getCellRangeByName(cell).setValue(value)
    book.store()
    book.close(True)
  Next file
  StarDesktop.terminate()
End Sub
